local function place(all, columns, left, right)
  if columns == all then return 1 end
  local found, free = 0, all & ~(columns | left | right)
  while free ~= 0 do
    local bit = free & -free
    found = found + place(all, columns | bit, (left | bit) << 1, (right | bit) >> 1)
    free = free & (free - 1)
  end
  return found
end

local n, half = tonumber(arg[1]), 0
for column = 0, n // 2 - 1 do -- the others are their mirror images
  half = half + place((1 << n) - 1, 1 << column, 2 << column, 1 << column >> 1)
end
print(2 * half)
