const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/** A trigger that has n8n collect its garbage, and is done when that is. */
class GarbageCollector {
	description = {
		displayName: 'Garbage Collector',
		name: 'garbageCollector',
		group: ['trigger'],
		version: 1,
		description: 'Activated before what is measured',
		defaults: { name: 'Garbage Collector' },
		polling: true,
		inputs: [],
		outputs: ['main'],
		properties: [],
	};

	async poll() {
		collect();
		return null;
	}
}

module.exports = { GarbageCollector };
