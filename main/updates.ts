// Newer versions: looked for where the package names a feed (`publish` in electron-builder.yml becomes app-update.yml beside
// the app), never otherwise. Nothing is fetched on a developer's own build.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const FEED_FILE = 'app-update.yml'

/** Whether a package in `resources` names a feed. */
export function hasFeed(resources: string | undefined): boolean {
  return resources !== undefined && existsSync(join(resources, FEED_FILE))
}

/** Downloads a newer version and installs it when the app ends; failures are no concern of the user's. */
export async function checkForUpdates(): Promise<void> {
  if (!hasFeed(process.resourcesPath)) return
  const { default: updater } = await import('electron-updater')
  await updater.autoUpdater.checkForUpdatesAndNotify().catch(() => undefined)
}
