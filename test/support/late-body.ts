// A request body that arrives late, for tests of events before its arrival.

/** Returns a body that arrives after `meanwhile` has ended. `meanwhile` begins when the route reads the body. */
export function lateBody(body: object, meanwhile: () => Promise<unknown>): ReadableStream {
  return new ReadableStream(
    {
      pull: async (controller) => {
        await meanwhile()
        controller.enqueue(new TextEncoder().encode(JSON.stringify(body)))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
