// Opens bundles beside the open workspace: each in an emulator of its own, which ends with the app. desktop.ts creates it.
import { type BundleEmulator, openBundle } from '../emulator/index.ts'

export interface BundleHost {
  /** Returns the inspector's address of the request at which the bundle opens. @throws {EmulatorError} */
  open(path: string): Promise<string>
  /** Closes the emulators of all bundles and removes their data. */
  close(): Promise<void>
}

const HOST = '127.0.0.1'

export function createBundleHost(): BundleHost {
  const running: BundleEmulator[] = []
  return {
    open: async (path) => {
      const emulator = await openBundle(path)
      try {
        const { port } = await emulator.listen({ port: 0, host: HOST, ownsProcess: true })
        running.push(emulator)
        const { request_id: id } = emulator.bundle
        const screen = id === null ? '' : `requests/${encodeURIComponent(id)}`
        return `http://${HOST}:${port}/_emulator/${screen}`
      } catch (error) {
        await emulator.close()
        throw error
      }
    },
    close: async () => {
      await Promise.all(running.splice(0).map((emulator) => emulator.close()))
    },
  }
}
