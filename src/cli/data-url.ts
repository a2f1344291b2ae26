import { badBase64Text, badPercentText, notADataUrlText } from './messages.js';

export interface DataUrl {
  readonly mime: string;
  readonly bytes: Uint8Array;
}

const BLANKS = /[\t\n\f\r ]+/g;

/** The bytes behind a `data:` URL, or a note on what is wrong with it: hosts pass on whatever the cell gave them. */
export function parseDataUrl(url: string): DataUrl | { readonly problem: string } {
  const comma = url.indexOf(',');
  if (!/^data:/i.test(url) || comma === -1) return { problem: notADataUrlText };
  const parameters = url.slice(5, comma).split(';');
  const type = (parameters[0] ?? '').trim().toLowerCase();
  // What is not a media type would end up in a line for people, and could contain anything.
  const mime = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/.test(type)
    ? type
    : 'application/octet-stream';
  const body = url.slice(comma + 1);
  if (parameters.at(-1)?.trim().toLowerCase() === 'base64') {
    const text = body.replace(BLANKS, '');
    // Buffer drops what it does not understand, which would write a damaged file without a word.
    const broken = !/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.replace(/=+$/, '').length % 4 === 1;
    return broken ? { problem: badBase64Text } : { mime, bytes: Buffer.from(text, 'base64') };
  }
  try {
    return { mime, bytes: Buffer.from(decodeURIComponent(body), 'utf8') };
  } catch {
    return { problem: badPercentText };
  }
}
