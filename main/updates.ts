// Checks for a newer version of the app. Only packages with an update feed can check: `publish` in electron-builder.yml becomes
// app-update.yml beside the app. A local build has no feed and downloads nothing.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const FEED_FILE = 'app-update.yml'

/** Whether the package whose resources folder is `resources` has an update feed. */
export function hasFeed(resources: string | undefined): boolean {
  return resources !== undefined && existsSync(join(resources, FEED_FILE))
}

/** Downloads a newer version and installs it when the app quits. Ignores failures. */
export async function checkForUpdates(): Promise<void> {
  if (!hasFeed(process.resourcesPath)) return
  const { default: updater } = await import('electron-updater')
  await updater.autoUpdater.checkForUpdatesAndNotify().catch(() => undefined)
}
