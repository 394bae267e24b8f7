// The release, as package.json states it.
import packageJson from '../package.json' with { type: 'json' }

export const version: string = packageJson.version
