/**
 * What can be switched on and off as a whole: one table of the features, what each is and needs. A feature is on when
 * its setting says so and all that it needs is there; otherwise the first thing that is missing is named. Pure.
 */
import type { Config } from './config-file.ts'
import { FEATURES, type Feature } from './feature-names.ts'

type FeatureReason =
  /** Nothing keeps it off. */
  | 'none'
  /** This version has no use of it, whatever the settings say. */
  | 'gate'
  | 'setting'
  | 'login'
  | 'repository'

/** What is there besides the settings. */
type Standing = {
  /** A Mission Control was joined. */
  readonly isLoggedIn: boolean
  readonly repository: string | undefined
}

export type FeatureStanding = {
  readonly name: Feature
  readonly on: boolean
  readonly reason: FeatureReason
  /** What it is for, as it stands in a list. */
  readonly about: string
  /** The reason in words, with what to do. */
  readonly says: string
}

type Row = {
  readonly about: string
  readonly needs?: readonly ('login' | 'repository')[]
  /** What rules it in place of the setting, in words. */
  readonly gate?: { readonly on: boolean; readonly says: string }
}

const rows: Readonly<Record<Feature, Row>> = {
  sessionStore: { about: 'the index of all sessions here: search, sql, Chronicle' },
  cloudSessionStore: {
    about:
      'questions over the sessions of all machines: search, sql and Chronicle with --cloud or --team',
    needs: ['login'],
  },
  backgroundSessions: {
    about: 'sessions and forks that go on beside the one that is shown',
    gate: { on: true, says: 'It is part of every surface; the setting changes nothing yet.' },
  },
  sessionIndexing: { about: 'copies of sessions in Mission Control', needs: ['login'] },
  sessionIndexingRepo: {
    about: 'copies by repository, as control.repositories says',
    needs: ['login', 'repository'],
  },
  cloudSessions: { about: 'work on workers of Mission Control: --cloud, tasks', needs: ['login'] },
  remoteKickstart: {
    about: 'sessions that are started here from afar',
    gate: { on: false, says: 'Nothing starts sessions here from afar in this version.' },
  },
}

/** As the settings have it; all but what this version has no use of are on unless the user said otherwise. */
export const isOn = ({ features = {} }: Pick<Config, 'features'>, name: Feature): boolean =>
  rows[name].gate?.on ?? features[name] ?? true

export const featuresOf = (config: Pick<Config, 'features'>, here: Standing): FeatureStanding[] =>
  FEATURES.map((name) => ({ name, about: rows[name].about, ...standingOf(name, config, here) }))

function standingOf(
  name: Feature,
  config: Pick<Config, 'features'>,
  here: Standing,
): Pick<FeatureStanding, 'on' | 'reason' | 'says'> {
  const { gate, needs = [] } = rows[name]
  if (gate !== undefined) return { on: gate.on, reason: gate.on ? 'none' : 'gate', says: gate.says }
  if (!isOn(config, name)) return { on: false, reason: 'setting', says: howToTurnOn(name) }
  if (needs.includes('login') && !here.isLoggedIn)
    return {
      on: false,
      reason: 'login',
      says: 'No Mission Control is configured: reprise remote login <url> joins one.',
    }
  if (needs.includes('repository') && here.repository === undefined)
    return {
      on: false,
      reason: 'repository',
      says: 'This directory is in no repository that has a remote.',
    }
  return { on: true, reason: 'none', says: '' }
}

export const howToTurnOn = (name: Feature): string =>
  `It is turned off by features.${name}: reprise config set features.${name} true turns it on.`
