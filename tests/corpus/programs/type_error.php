<?php
function place(int $row, int $n): int {
    return $row == $n ? 1 : place($row + 1, $n);
}

echo place(0, "board of " . $argv[1]), "\n";
