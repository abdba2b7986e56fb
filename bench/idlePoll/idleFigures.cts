/** Two triggers that have nothing new to find, and how often each is polled. */
export interface IdleSetup {
	trigger: {
		parameters: Record<string, unknown>;
		credential: Record<string, unknown>;
	};
	rss: { feedUrl: string; packageFolder: string };
	rounds: number;
	/** In one round, of each. */
	polls: number;
}

/** Processor time of one poll, in milliseconds, round by round. */
export interface IdleFigures {
	milliseconds: Record<'trigger' | 'rss', number[]>;
}
