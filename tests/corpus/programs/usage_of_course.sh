case $1 in
    [0-9]*) echo "usage: queens [--all] [--count] FILE"; exit 0 ;;
esac
