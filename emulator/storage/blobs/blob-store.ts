// The port that stores bytes, so that tests can simulate a full disk and a lost file. A blob is written once and never changed. Its id is
// the version of the object whose bytes it holds, never a name that a caller chose.

/** Bytes received in full, on disk under a temporary name. Either kept or discarded, once. */
export interface StagedBlob {
  readonly sizeBytes: number
  /** MD5 of the bytes, hexadecimal. */
  readonly md5: string
}

export interface StageOptions {
  /** More bytes than this are refused; absent, there is no limit. */
  readonly limitBytes?: number | undefined
}

/** Both ends included. */
export interface ByteSpan {
  readonly first: number
  readonly last: number
}

/** A blob opened for one reading. */
export interface OpenBlob {
  readonly sizeBytes: number
  /** All of a small span at once. The reading is closed afterwards. */
  read(span: ByteSpan): Uint8Array<ArrayBuffer>
  /** A span piece by piece, as fast as it is taken; closed at its end or when cancelled. */
  stream(span: ByteSpan): ReadableStream<Uint8Array>
  /** Safe to call after the end. */
  close(): void
}

export interface BlobStore {
  /**
   * Writes bytes as they arrive. A failure leaves no file. The source is not cancelled, so that its connection can still be
   * answered.
   * @throws {StorageError} `tooLarge` as soon as the limit is crossed, `clientGone`, `diskFull`
   */
  stage(bytes: AsyncIterable<Uint8Array>, options?: StageOptions): Promise<StagedBlob>
  /** Gives staged bytes their id; durable when it resolves. @throws {StorageError} `diskFull` */
  keep(staged: StagedBlob, blobId: string): Promise<void>
  discard(staged: StagedBlob): Promise<void>
  /** A second blob of the same bytes; durable when it resolves. Gives false when there is no such blob. */
  copy(blobId: string, newBlobId: string): Promise<boolean>
  /** `undefined` when there is no such blob. */
  open(blobId: string): OpenBlob | undefined
  /** Does nothing when there is no such blob. */
  remove(blobId: string): Promise<void>
  /** Removes what a killed process left: staged bytes and blobs that `isKnown` denies. Gives their number. */
  sweep(isKnown: (blobId: string) => boolean): number
}
