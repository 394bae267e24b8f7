// Where bytes live: a port, so that a full disk and a lost file can be played in tests. A blob is written once and never
// changed; its id is the version of the object whose bytes it holds, never anything a caller chose.

/** Bytes received in full, on disk under a passing name. Either kept or discarded, once. */
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
  /** Harmless after the end. */
  close(): void
}

export interface BlobStore {
  /**
   * Writes bytes down as they come. Nothing is left when it fails; the source is not cancelled, so that its connection
   * can still be answered.
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
  /** Harmless when there is none. */
  remove(blobId: string): Promise<void>
  /** Removes what a killed process left behind: bytes that were staged, blobs that `isKnown` denies. Gives how many. */
  sweep(isKnown: (blobId: string) => boolean): number
}
