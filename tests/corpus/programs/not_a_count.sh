echo "Solution found in $((5106 + $1)) steps."
