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

print "How many queens? "
n = gets.to_i
puts "#{place((1 << n) - 1, 0, 0, 0)} ways"
