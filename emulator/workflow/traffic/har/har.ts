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
  /** Bytes of the whole body, after its content coding was removed. */
  readonly size: number
  /**
   * Bytes that `text` has. Smaller than `size` when the body was longer than the recording keeps. It is 0 when the body was
   * left out, because secrets in it cannot be found.
   */
  readonly _kept?: number
  /** SHA-256 of the bytes that `size` counts, in hex, when `text` does not have all of them. */
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
  /** 1 for text, 2 for bytes, whose `data` is base64. */
  readonly opcode: 1 | 2
  readonly data: string
  /** Place among all events of the recording. */
  readonly _order: number
  /** Bytes of the frame, when `data` does not have all of them. */
  readonly _size?: number
  /** SHA-256 of the frame as it was sent, in hex, when `data` does not have all of it. */
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
  /** Place of the request's start among all events of the recording: starts, ends and frames. Entries are written when they end. */
  readonly _order: number
  /** Place of the request's end. */
  readonly _ended: number
  readonly _plane: Plane
  /** Address of the plane at the target, such as `https://storage.example.com`. */
  readonly _base: string
  /** Facts of the credentials that this entry is the first to contain. */
  readonly _credentials?: readonly CredentialFacts[]
  readonly _resourceType?: 'websocket'
  readonly _webSocketMessages?: readonly HarFrame[]
  /** Number of later messages that the recording does not have, because it keeps 64 MB of a socket. */
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
  /** Bytes that the recording keeps of one body or frame. */
  readonly maxBodyBytes: number
  /** Names of the members whose values are masked, beside those that always are. */
  readonly masked: readonly string[]
}
