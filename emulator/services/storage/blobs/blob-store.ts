// The interface that stores bytes. Tests replace this interface to simulate a full disk or a lost file. A blob is written once
// and never changed. The id of a blob is the version of its object, never a name chosen by a caller.

import type { Writable } from 'node:stream'

/**
 * Bytes that were received in full and are on disk under a temporary name. The caller must either keep or discard a staged
 * blob, exactly once.
 */
export interface StagedBlob {
  readonly sizeBytes: number
  /** MD5 of the bytes, hexadecimal. */
  readonly md5: string
}

export interface StageOptions {
  /** Maximum size in bytes. The size is not limited when `limitBytes` is absent. */
  readonly limitBytes?: number | undefined
  /** Whether nothing else uses the pieces. The store then frees the memory of each piece when the piece is written. */
  readonly ownsPieces?: boolean | undefined
}

/** Positions of the first and last byte, both included. */
export interface ByteSpan {
  readonly first: number
  readonly last: number
}

/** A blob opened for a single read. */
export interface OpenBlob {
  readonly sizeBytes: number
  /** Reads a small span in one call, then closes the blob. */
  read(span: ByteSpan): Uint8Array<ArrayBuffer>
  /** Streams a span in pieces, at the consumer's speed. Closes the blob at the end of the span or on cancel. */
  stream(span: ByteSpan): ReadableStream<Uint8Array>
  /**
   * Writes a span to `outgoing` at the consumer's speed, then ends `outgoing` and closes the blob. Faster than `stream`. Absent
   * for bytes that are in memory.
   */
  readonly writeTo?: (outgoing: Writable, span: ByteSpan) => void
  /** Closes the blob. Does nothing when the blob is already closed. */
  close(): void
}

export interface BlobStore {
  /**
   * Writes bytes to a file as they arrive. Removes the file on failure. Does not cancel the source, so that the server can
   * still send a response on the connection.
   * @throws {StorageError} `tooLarge` as soon as the limit is crossed, `clientGone`, `diskFull`
   */
  stage(bytes: AsyncIterable<Uint8Array>, options?: StageOptions): Promise<StagedBlob>
  /** Stores staged bytes under an id. Resolves when durable. @throws {StorageError} `diskFull` */
  keep(staged: StagedBlob, blobId: string): Promise<void>
  discard(staged: StagedBlob): Promise<void>
  /** Creates a second blob with the same bytes. Resolves when durable. Returns false when `blobId` does not exist. */
  copy(blobId: string, newBlobId: string): Promise<boolean>
  /** Returns `undefined` when the blob does not exist. */
  open(blobId: string): OpenBlob | undefined
  /** Does nothing when the blob does not exist. */
  remove(blobId: string): Promise<void>
  /**
   * Removes the files that a killed process left: staged bytes, and blobs for which `isKnown` returns false. Returns the number
   * of removed files.
   */
  sweep(isKnown: (blobId: string) => boolean): number
}
