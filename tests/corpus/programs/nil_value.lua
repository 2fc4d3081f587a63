local function place(row, n)
  if row > n then return 1 end
  return place(row + 1, n) + board[row]
end

print(place(1, tonumber(arg[1])))
