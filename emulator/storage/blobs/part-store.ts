// Files that grow: the parts of uploads that come in several requests, until they are whole and become blobs. A port, so
// that a full disk can be played in tests.

export interface Appended {
  /** Bytes that are in the file for good, counted from `at`. */
  readonly writtenBytes: number
  /** Why it ended early: what the source or the disk threw. */
  readonly failure?: unknown
}

export interface PartStore {
  /**
   * Writes bytes from position `at` on; what stood there after a crash is overwritten. Keeps what came before a failure.
   * @throws {StorageError} `bytesMissing` when the file is shorter than `at`
   */
  append(id: string, at: number, bytes: AsyncIterable<Uint8Array>): Promise<Appended>
  /** The first `sizeBytes` bytes. @throws {StorageError} `bytesMissing` */
  read(id: string, sizeBytes: number): AsyncIterable<Uint8Array>
  /** Harmless when there is none. */
  remove(id: string): Promise<void>
  /** Removes the files that `isKnown` denies; gives how many. */
  sweep(isKnown: (id: string) => boolean): number
}
