// A cell: which licences are in node_modules?
//   codemode-run examples/licenses.js --tools examples/files.tools.js
// It calls two tools some hundred times, as many at once as it can, and prints one table.

const root = 'node_modules';

async function packageFolders(folder) {
  const entries = await tools.list_folder({ path: folder });
  const folders = entries.filter(({ name, kind }) => kind === 'folder' && !name.startsWith('.'));
  const found = await Promise.all(
    folders.map(({ name }) => (name.startsWith('@') ? packageFolders(`${folder}/${name}`) : [`${folder}/${name}`])),
  );
  return found.flat();
}

function licenceOf({ license, licenses }) {
  if (typeof license === 'string') return license;
  if (typeof license?.type === 'string') return license.type;
  if (Array.isArray(licenses)) return licenses.map(({ type }) => type).join(' OR ');
  return 'not stated';
}

const folders = await packageFolders(root);
const packages = await Promise.all(
  folders.map(async (folder) => {
    try {
      return await tools.read_json({ path: `${folder}/package.json` });
    } catch {
      // A folder that is no package, such as a cache.
      return null;
    }
  }),
);

const byLicence = new Map();
for (const one of packages.filter(Boolean)) {
  const licence = licenceOf(one);
  byLicence.set(licence, [...(byLicence.get(licence) ?? []), one.name]);
}

const rows = [...byLicence].sort(
  ([oneName, one], [otherName, other]) => other.length - one.length || (oneName < otherName ? -1 : 1),
);
const width = Math.max('licence'.length, ...rows.map(([licence]) => licence.length));
const line = (licence, count, names) => `${licence.padEnd(width)}  ${String(count).padStart(5)}  ${names}`;

text(line('licence', 'count', 'packages'));
for (const [licence, names] of rows) {
  const shown = names.sort().slice(0, 4).join(', ');
  text(line(licence, names.length, names.length > 4 ? `${shown}, …` : shown));
}
text(
  line(
    'total',
    rows.reduce((sum, [, names]) => sum + names.length, 0),
    '',
  ),
);
