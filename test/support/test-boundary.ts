// Lets the matrix of rules and tests (test/conformance/matrix) record and change what tests are answered. Without it, calls pass.
export interface SeenAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

export interface TestBoundary {
  /** Starts an emulator, or returns one that repeats what an earlier one did. */
  start<Started>(begin: () => Promise<Started>): Promise<Started>
  /** Runs a preparation whose answers no test looks at. */
  aside<Value>(prepare: () => Promise<Value>): Promise<Value>
  /** Returns the answer of an app without a network that a test sees. */
  answer(method: string, target: string, body: unknown, answer: SeenAnswer): SeenAnswer
}

// Test files and the runner can have copies of this module.
const KEY = Symbol.for('tenantry.test-boundary')
const holder = globalThis as { [KEY]?: TestBoundary }

export function testBoundary(): TestBoundary | undefined {
  return holder[KEY]
}

export function setTestBoundary(boundary: TestBoundary): void {
  holder[KEY] = boundary
}
