// The port that stores bytes. Tests replace it to simulate a full disk or a lost file. A blob is written once and never changed.
// Its id is the version of the object whose bytes it holds, never a name chosen by a caller.

/** Bytes received in full, on disk under a temporary name. The caller must either keep or discard them, exactly once. */
export interface StagedBlob {
  readonly sizeBytes: number
  /** MD5 of the bytes, hexadecimal. */
  readonly md5: string
}

export interface StageOptions {
  /** Maximum size in bytes. No limit when absent. */
  readonly limitBytes?: number | undefined
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
  /** Safe to call after the blob was closed. */
  close(): void
}

export interface BlobStore {
  /**
   * Writes bytes as they arrive. Removes the file on failure. Does not cancel the source, so that the connection can still
   * carry a response.
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
  /** Removes files left by a killed process: staged bytes, and blobs for which `isKnown` returns false. Returns their number. */
  sweep(isKnown: (blobId: string) => boolean): number
}
