// Lets the matrix of rules and tests (test/conformance/matrix) record and change the answers that tests receive. Without the
// matrix, calls are not changed.
export interface SeenAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

export interface TestBoundary {
  /** Starts an emulator, or returns one that repeats recorded answers. */
  start<Started>(begin: () => Promise<Started>): Promise<Started>
  /** Runs a preparation whose answers no test checks. */
  aside<Value>(prepare: () => Promise<Value>): Promise<Value>
  /** Returns the answer that a test receives from an app without a network. */
  answer(method: string, target: string, body: unknown, answer: SeenAnswer): SeenAnswer
}

// The boundary is a global, because test files and the runner can have separate copies of this module.
const KEY = Symbol.for('tenantry.test-boundary')
const holder = globalThis as { [KEY]?: TestBoundary }

export function testBoundary(): TestBoundary | undefined {
  return holder[KEY]
}

export function setTestBoundary(boundary: TestBoundary): void {
  holder[KEY] = boundary
}
