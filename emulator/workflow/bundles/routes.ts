// Routes of /_emulator/v1 that make a bundle, and show the bundle from which this emulator was opened (contract/bundles.ts).
import { createReadStream } from 'node:fs'
import type { Hono } from 'hono'
import { BUNDLE_OPERATIONS, BUNDLE_TYPE } from '../../contract/bundles.ts'
import { type Bindings, mount } from '../../insight/api-kit/mount.ts'
import type { Bundles, MadeBundle } from './bundles.ts'

export function mountBundles(
  app: Hono<Bindings>,
  { bundles }: { readonly bundles: Bundles },
): void {
  mount(app, BUNDLE_OPERATIONS, {
    'POST /bundles': async ({ body }) => {
      const made = await bundles.make(body)
      return new Response(contentOf(made), {
        headers: {
          'content-type': BUNDLE_TYPE,
          'content-length': String(made.sizeBytes),
          'content-disposition': `attachment; filename="${made.name}"`,
        },
      })
    },
    'GET /bundles/opened': () => ({ opened: bundles.opened }),
  })
}

// Streams the file, and removes it when it was sent or when the caller disconnects.
function contentOf({ path, remove }: MadeBundle): ReadableStream<Uint8Array> {
  const file = createReadStream(path)
  file.once('close', remove)
  const pieces = file[Symbol.asyncIterator]()
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await pieces.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => void file.destroy(),
  })
}
