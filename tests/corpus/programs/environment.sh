known="1 1 0 0 2 10 4 40 92 352 724"
set -- $known
shift "${QUEENS:?is not set}"
echo "QUEENS=$QUEENS"
echo "solutions=$1"
