// Answers with some megabytes of images and other blocks.
import { serve } from './support/serve.mjs';

serve(['look'], {
  'tools/call': ({ arguments: { megabytes } }) => ({
    content: [
      { type: 'text', text: 'ünï☕' },
      ...Array.from({ length: 4 }, () => ({
        type: 'image',
        data: 'QUJD'.repeat(megabytes * 65_536),
        mimeType: 'image/png',
      })),
      { type: 'image', data: '!no base64!', mimeType: 'nonsense' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'a:b', text: 'x' } },
    ],
    _meta: { 'x/y': 1 },
  }),
});
