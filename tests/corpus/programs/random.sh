echo "$1 queens, restarts: $$"
