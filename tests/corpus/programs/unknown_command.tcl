proc place {row n} {
    if {$row == $n} {return 1}
    return [plcae [expr {$row + 1}] $n]
}
puts [place 0 [lindex $argv 0]]
