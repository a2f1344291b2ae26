import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectories } from '../process/make-directory.js';
import type { ContentItem } from '../protocol/message.js';
import { parseDataUrl } from './data-url.js';
import { mediaLine, notWrittenText, unwritableFolderText } from './messages.js';

type Media = Exclude<ContentItem, { readonly type: 'input_text' }>;

const extensions: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/jpg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/avif', 'avif'],
  ['image/bmp', 'bmp'],
  ['image/svg+xml', 'svg'],
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/wave', 'wav'],
  ['audio/vnd.wave', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
  ['audio/mp4', 'm4a'],
  ['audio/aac', 'aac'],
  ['audio/ogg', 'ogg'],
  ['audio/opus', 'opus'],
  ['audio/webm', 'webm'],
  ['audio/flac', 'flac'],
]);

/** The line that stands for an item in the output, or why there is none. */
export type SavedMedia =
  | { readonly line: string; readonly problem?: undefined }
  | { readonly line?: undefined; readonly problem: string };

const MAX_NAMES = 10_000;

/** Writes images and audio of one run into a folder, under names of its own, and never over a file that is there. */
export class MediaFolder {
  readonly #folder: string;
  readonly #counts = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async save(item: Media, cellId: string): Promise<SavedMedia> {
    const kind = item.type === 'input_image' ? 'image' : 'audio';
    const index = (this.#counts.get(cellId) ?? 0) + 1;
    this.#counts.set(cellId, index);
    const media = parseDataUrl(item.type === 'input_image' ? item.image_url : item.audio_url);
    if ('problem' in media) return { problem: notWrittenText(kind, media.problem) };
    // The id comes from the host: it must not be able to choose a path.
    const stem = `cell-${cellId.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64)}-${index}`;
    try {
      const path = await this.#write(stem, extensions.get(media.mime) ?? 'bin', media.bytes);
      return { line: mediaLine(kind, path, media.mime, media.bytes.length) };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      const message = error instanceof Error ? error.message : String(error);
      return { problem: notWrittenText(kind, unwritableFolderText(this.#folder, code, message)) };
    }
  }

  async #write(stem: string, extension: string, bytes: Uint8Array): Promise<string> {
    await makeDirectories(this.#folder);
    for (let attempt = 1; ; attempt += 1) {
      const name = attempt === 1 ? `${stem}.${extension}` : `${stem}-${attempt}.${extension}`;
      const path = join(this.#folder, name);
      try {
        // `wx` refuses what is there, symbolic links included.
        await writeFile(path, bytes, { flag: 'wx' });
        return path;
      } catch (error) {
        if (!isTaken(error) || attempt === MAX_NAMES) throw error;
      }
    }
  }
}

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';
