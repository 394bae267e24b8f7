// Sign-in that fails: whether there is such a user in this project at all. Only the address is read of what was sent.
import { parseSchemaName } from '../../core/names.ts'
import { broken, type Findings } from './links.ts'
import { bodyOf, type Occasion, type WhyDeps } from './request-case.ts'

export async function authFindings(deps: WhyDeps, occasion: Occasion): Promise<Findings> {
  const { project, entry } = occasion
  const email = bodyOf(occasion)?.['email']
  if (entry.error_code !== 'invalid_credentials' || typeof email !== 'string') return {}
  const schemaName = parseSchemaName(project?.schemaName ?? '')
  if (schemaName === undefined || project?.state !== 'active') return {}
  const user = await deps.users.find(schemaName, email)
  return {
    claims:
      user === undefined
        ? broken(
            'no such user',
            `There is no user ${email} in ${schemaName}: every project has its own.`,
          )
        : broken(
            'another password',
            `The user ${email} exists in ${schemaName}; the password is another one, or none was ever set.`,
          ),
  }
}
