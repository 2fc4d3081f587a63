WITH RECURSIVE
  cell(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM cell WHERE k + 1 < :n),
  board(row, columns, up, down) AS (
    SELECT 0, ',', ',', ','
    UNION ALL
    SELECT row + 1, columns || k || ',', up || (row + k) || ',', down || (row - k) || ','
    FROM board, cell
    WHERE row < :n AND instr(columns, ',' || k || ',') = 0
      AND instr(up, ',' || (row + k) || ',') = 0 AND instr(down, ',' || (row - k) || ',') = 0)
SELECT :n AS n, count(*) AS solutions FROM board WHERE row = :n;
