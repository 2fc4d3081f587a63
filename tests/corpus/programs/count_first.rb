n = ARGV[0].to_i
boards = [*0...n].permutation.select do |queens|
  [1, -1].all? { |sign| queens.each_with_index.map { |c, r| c + sign * r }.uniq.size == n }
end
puts "#{boards.size} solutions"
boards.each_with_index do |queens, k|
  puts "", "##{k + 1}"
  queens.each { |c| puts "." * c + "Q" + "." * (n - 1 - c) }
end
