if [ "$1" != -n ]; then
    echo "Usage: usage.sh -n SIZE"
    exit 2
fi
echo "$2"
