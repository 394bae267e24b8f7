// The options of `record` and `conformance` that name a platform. `platform-targets.ts` reads their addresses.
import { type Command, Option } from 'commander'

export interface TargetOptions {
  readonly target: string
  readonly dataTarget?: string
  readonly storageTarget?: string
  readonly realtimeTarget?: string
}

/** Adds `--target` and the addresses of the planes. @param otherwise describes the default address of each plane, for the help */
export function withTargetOptions(
  command: Command,
  otherwise: { readonly storage: string; readonly realtime: string },
): Command {
  return command
    .addOption(
      new Option('--target <url>', 'set the auth address of the platform')
        .env('TENANTRY_AUTH_URL')
        .makeOptionMandatory(),
    )
    .option(
      '--data-target <url>',
      'set the data address (default: the auth address with "api." for "auth.")',
    )
    .option('--storage-target <url>', `set the storage address (default: ${otherwise.storage})`)
    .option('--realtime-target <url>', `set the realtime address (default: ${otherwise.realtime})`)
}
