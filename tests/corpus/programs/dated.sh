n=$1 found=0

place() { # row, columns, and both diagonals, each as a list between commas
    if [ "$1" -eq "$n" ]; then found=$((found + 1)); return; fi
    set -- "$1" "$2" "$3" "$4" 0
    while [ "$5" -lt "$n" ]; do
        case $2 in *,$5,*) ;; *) case $3 in *,$(($1 + $5)),*) ;; *) case $4 in *,$(($1 - $5)),*) ;;
        *) place $(($1 + 1)) "$2$5," "$3$(($1 + $5))," "$4$(($1 - $5)),"
        esac; esac; esac
        set -- "$1" "$2" "$3" "$4" $(($5 + 1))
    done
}

echo "2024-05-01 12:00:00 start"
place 0 , , ,
echo "2024-05-01 12:00:${n}0 $found"
