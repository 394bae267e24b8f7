// Bytes at hand in the form of an opened blob: a picture that was rendered a moment ago.
import type { OpenBlob } from '../blobs/blob-store.ts'

/** The bytes must not change afterwards. */
export function holdInMemory(bytes: Uint8Array): OpenBlob {
  return {
    sizeBytes: bytes.byteLength,
    read: ({ first, last }) => new Uint8Array(bytes.subarray(first, last + 1)),
    stream: ({ first, last }) =>
      new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(bytes.subarray(first, last + 1))
          controller.close()
        },
      }),
    close: () => undefined,
  }
}
