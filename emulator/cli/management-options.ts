// `--dev-password` and `--allow-origin`: who may use the management plane, for each command that starts an emulator.
import { type Command, Option } from 'commander'
import type { EmulatorConfig } from '../config.ts'

export interface ManagementOptions {
  readonly devPassword: string | undefined
  readonly allowOrigin: readonly string[]
}

/** The options as each command that starts an emulator has them. */
export function withManagement(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--dev-password <password>',
        'set the password of the dashboard account (default: one that belongs to the data directory)',
      ).env('TENANTRY_DEV_PASSWORD'),
    )
    .addOption(
      new Option(
        '--allow-origin <origin>',
        'let web pages of this origin use /platform/v1 and /groups/v1; repeatable (default: the inspector only)',
      )
        .env('TENANTRY_ALLOW_ORIGIN')
        .argParser(collectOrigins),
    )
}

export function management({
  devPassword,
  allowOrigin = [],
}: Partial<ManagementOptions>): Pick<EmulatorConfig, 'developer' | 'allowOrigins'> {
  return {
    ...(devPassword === undefined ? {} : { developer: { password: devPassword } }),
    allowOrigins: [...allowOrigin],
  }
}

// The variable may list several.
function collectOrigins(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, ...text.split(/[\s,]+/).filter((origin) => origin !== '')]
}
