// Runs an asynchronous preparation once for all callers, and again after a failure.

export interface RetryableOnce<Value> {
  /** Returns the first call's promise. A call after a failure runs the task again. */
  get(): Promise<Value>
  /** Makes the next call run the task again. */
  forget(): void
}

export function retryableOnce<Value>(task: () => Promise<Value>): RetryableOnce<Value> {
  let result: Promise<Value> | undefined
  const forget = (): void => {
    result = undefined
  }
  const get = (): Promise<Value> => {
    result ??= task().catch((error: unknown) => {
      forget()
      throw error
    })
    return result
  }
  return { get, forget }
}
