// A cell: draws a picture. codemode-run writes it into a file and prints the name:
//   codemode-run examples/picture.js --out-dir pictures

const bars = [3, 7, 4, 9, 6];
const shapes = bars.map(
  (height, index) => `<rect x="${index * 24 + 4}" y="${100 - height * 10}" width="16" height="${height * 10}"/>`,
);
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="124" height="104" fill="teal">${shapes.join('')}</svg>`;

text(`${bars.length} bars`);
image(`data:image/svg+xml,${encodeURIComponent(svg)}`);
