// The payload of a broadcast as it is typed: a JSON object. Pure.

export type ReadPayload =
  | { readonly kind: 'ready'; readonly payload: object }
  | { readonly kind: 'wrong'; readonly problem: string }

export function readPayload(text: string): ReadPayload {
  try {
    const payload: unknown = JSON.parse(text)
    if (typeof payload === 'object' && payload !== null && !Array.isArray(payload))
      return { kind: 'ready', payload }
  } catch {
    return { kind: 'wrong', problem: 'This is not JSON.' }
  }
  return { kind: 'wrong', problem: 'A payload is a JSON object.' }
}
