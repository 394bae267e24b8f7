// A request's body that arrives later, for tests of what happens meanwhile.

/** A body that arrives after `meanwhile`, which begins when the route reads the body. */
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
