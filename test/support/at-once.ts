// Ten calls at once, and a count of their outcomes, for tests of races.
import type { Answer, Json } from './test-emulator.ts'

export function tenAtOnce<Result>(call: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: 10 }, (_, index) => call(index)))
}

/** How many answers have each status, with the code of a refusal: `{ 200: 1, '409 email_taken': 9 }`. */
export function tallyOf(answers: readonly Answer<Json>[]): Record<string, number> {
  return countOf(
    answers.map(({ body, status }) => {
      const code = body?.error?.code ?? body?.code
      return status < 400 || code === undefined ? String(status) : `${status} ${code}`
    }),
  )
}

/** How often each text is in the list. */
export function countOf(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1
  return counts
}
