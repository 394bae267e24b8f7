// Types of HAR 1.2 as `tenantry record` writes it. Members that begin with an underscore are extensions, which the format allows.
// Chromium writes `_resourceType` and `_webSocketMessages` with the same meaning.

/** The parts of the platform that have their own address. `auth` includes management and the token endpoints. */
export const PLANES = ['auth', 'data', 'storage', 'realtime'] as const
export type Plane = (typeof PLANES)[number]

export interface HarField {
  readonly name: string
  readonly value: string
}

export interface HarBody {
  readonly mimeType: string
  readonly text?: string
  /** `base64` when the bytes are no UTF-8 text. HAR 1.2 names this member only for answers. */
  readonly encoding?: 'base64'
  /** Size of the whole body in bytes, after its content coding was removed. */
  readonly size: number
  /**
   * Number of bytes in `text`. Smaller than `size` when the recording keeps only the beginning of the body. 0 when the body was
   * left out, because secrets in it cannot be found.
   */
  readonly _kept?: number
  /** SHA-256 of all bytes that `size` counts, in hex. Present when `text` does not contain all of these bytes. */
  readonly _sha256?: string
  readonly comment?: string
}

export interface HarPostData extends Omit<HarBody, 'encoding' | 'size'> {
  readonly params: readonly HarField[]
  readonly _encoding?: 'base64'
  readonly _size: number
}

/** One frame, as Chromium records it. */
export interface HarFrame {
  readonly type: 'send' | 'receive'
  /** Seconds since the Unix epoch. */
  readonly time: number
  /** 1 for text, 2 for binary data, which `data` contains in base64. */
  readonly opcode: 1 | 2
  readonly data: string
  /** Number of this event in the order of all events of the recording. */
  readonly _order: number
  /** Size of the whole frame in bytes. Present when `data` does not contain all of it. */
  readonly _size?: number
  /** SHA-256 of the whole frame as it was sent, in hex. Present when `data` does not contain all of it. */
  readonly _sha256?: string
}

export interface HarClose {
  readonly by: 'client' | 'server'
  readonly code: number | null
  readonly reason: string
  readonly _order: number
  /** Seconds since the Unix epoch. */
  readonly time: number
}

/** Facts of a masked credential, read from its claims without a check of the signature. */
export interface CredentialFacts {
  /** The text that replaces the credential everywhere in the file. */
  readonly placeholder: string
  readonly claims: Readonly<Record<string, string | number>>
}

export interface HarEntry {
  readonly startedDateTime: string
  /** Milliseconds. */
  readonly time: number
  readonly request: {
    readonly method: string
    readonly url: string
    readonly httpVersion: string
    readonly cookies: readonly never[]
    readonly headers: readonly HarField[]
    readonly queryString: readonly HarField[]
    readonly postData?: HarPostData
    readonly headersSize: number
    readonly bodySize: number
  }
  readonly response: {
    /** 0 when no answer arrived. */
    readonly status: number
    readonly statusText: string
    readonly httpVersion: string
    readonly cookies: readonly never[]
    readonly headers: readonly HarField[]
    readonly content: HarBody
    readonly redirectURL: string
    readonly headersSize: number
    readonly bodySize: number
    readonly _error?: string
  }
  readonly cache: Readonly<Record<string, never>>
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number }
  /**
   * Number of the request's start in the order of all starts, ends and frames. The file itself lists requests in the order of
   * their ends.
   */
  readonly _order: number
  /** Number of the request's end in the same order. */
  readonly _ended: number
  readonly _plane: Plane
  /** Address of the plane at the target, such as `https://storage.example.com`. */
  readonly _base: string
  /** Facts of the credentials that occur in this entry for the first time. */
  readonly _credentials?: readonly CredentialFacts[]
  readonly _resourceType?: 'websocket'
  readonly _webSocketMessages?: readonly HarFrame[]
  /** Number of later messages that the recording does not have, because it keeps at most 64 MB of a socket. */
  readonly _webSocketMessagesLeftOut?: number
  readonly _webSocketClose?: HarClose
}

export interface Har {
  readonly log: {
    readonly version: '1.2'
    readonly creator: { readonly name: string; readonly version: string }
    readonly pages: readonly never[]
    readonly entries: readonly HarEntry[]
    readonly comment?: string
    readonly _tenantry: HarHead
  }
}

/** Facts of the whole recording. */
export interface HarHead {
  /** Version of these extensions. */
  readonly format: 1
  readonly targets: Readonly<Partial<Record<Plane, string>>>
  /** Maximum number of bytes that the recording keeps of one body or frame. */
  readonly maxBodyBytes: number
  /** Names of further members whose values are masked, in addition to those that are always masked. */
  readonly masked: readonly string[]
}
