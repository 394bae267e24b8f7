// Percent-decoding of text that comes from a request, which can be malformed.

/** Returns the decoded text, or the text itself when its percent-encoding is malformed. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
