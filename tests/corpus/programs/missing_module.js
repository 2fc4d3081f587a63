const options = require("no-such-options")(process.argv.slice(2));
console.log(options.n);
