// Routes that publish a template, one for the group's backend and one for the dashboard (docs/wire/platform.md#publish).
import { z } from 'zod'
import type { HttpContext } from '../../../core/mount-routes.ts'
import type { ControlDeps } from '../deps.ts'
import type { Group } from '../groups/groups.ts'
import { decodeOptionalBody, optionalText, slugShape } from '../request/request-body.ts'
import {
  BODY_CODES,
  type ControlCode,
  type ControlRoutes,
  groupOf,
  originOf,
  ownGroupOf,
  presentGroup,
  presentGroupOfKey,
} from '../request/route.ts'
import { publishedToWire } from '../wire.ts'
import { publishTemplate } from './publish-template.ts'

const PublishShape = z.object({ name: optionalText, slug: slugShape })

const PUBLISH_CODES: readonly ControlCode[] = [
  'fonte_indisponivel',
  'clone_incompleto',
  'invalid_slug',
  'slug_reservado',
  'slug_taken',
]

export const TEMPLATE_ROUTES: ControlRoutes = {
  'POST /groups/v1/:group/template/publish': {
    operation: 'template.publish',
    title: 'Freezes the source into a new template',
    codes: [...PUBLISH_CODES, 'forbidden', ...BODY_CODES],
    body: PublishShape,
    isBodyOptional: true,
    handler: (deps) => async (context) => {
      const group = await groupOf(deps, context)
      return publish(deps, context, () => presentGroupOfKey(deps, group))
    },
  },
  'POST /platform/v1/groups/:group/template/publish': {
    operation: 'template.publish_as_owner',
    title: 'Freezes the source into a new template',
    codes: [...PUBLISH_CODES, 'not_found', ...BODY_CODES],
    body: PublishShape,
    isBodyOptional: true,
    handler: (deps) => async (context) => {
      const { group } = await ownGroupOf(deps, context)
      return publish(deps, context, () => presentGroup(deps, group))
    },
  },
}

/** @param present looks the group up again after the body has arrived */
async function publish(
  deps: ControlDeps,
  context: HttpContext,
  present: () => Group,
): Promise<Response> {
  const { name, slug } = await decodeOptionalBody(context.req.raw, PublishShape)
  const published = await publishTemplate(
    deps,
    present(),
    { name: name ?? undefined, slug: slug ?? undefined },
    originOf(context),
  )
  context.env.facts.schemaName = published.template.schemaName
  return context.json(publishedToWire(published), 201)
}
