// SPDX-License-Identifier: GPL-2.0
/*
 * Gives a netdev that exists what a fabric NIC shows of itself over DCB netlink and ethtool. It stores
 * what is set and shows it again, with the habits and the statistics' names of mlx5; it moves no packet
 * differently. One netdev at a time:
 *
 *	insmod ferrule_dcb.ko netdev=eth1
 *	echo rx_discards_phy 7 >/sys/module/ferrule_dcb/parameters/statistic
 *	echo 2000 >/sys/module/ferrule_dcb/parameters/hang_ms
 */
#include <linux/dcbnl.h>
#include <linux/delay.h>
#include <linux/ethtool.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <net/dcbnl.h>

#define DSCPS 64
#define LONGEST_HANG_MS 30000U

static char *netdev;
module_param(netdev, charp, 0444);
MODULE_PARM_DESC(netdev, "name of the interface");

static unsigned int hang_ms;
module_param(hang_ms, uint, 0644);
MODULE_PARM_DESC(hang_ms, "how long a DCB or statistics query hangs, 30 seconds at most; 0 ends it");

static bool hang_alone;
module_param(hang_alone, bool, 0644);
MODULE_PARM_DESC(hang_alone, "do not hold rtnl while a query hangs, as kernels where a netdev has a lock of its own");

/* When a statistic is there: mlx5 names pause frames only where there can be some. */
enum presence { ALWAYS, PRIORITY, GLOBAL_PAUSE, PFC };

static const struct {
	const char *format;
	enum presence presence;
} kinds[] = {
	{ "rx_out_of_buffer", ALWAYS },
	{ "rx_crc_errors_phy", ALWAYS },
	{ "rx_symbol_err_phy", ALWAYS },
	{ "rx_pcs_symbol_err_phy", ALWAYS },
	{ "rx_corrected_bits_phy", ALWAYS },
	{ "rx_discards_phy", ALWAYS },
	{ "tx_discards_phy", ALWAYS },
	{ "tx_errors_phy", ALWAYS },
	{ "link_down_events_phy", ALWAYS },
	{ "rx_buffer_passed_thres_phy", ALWAYS },
	{ "tx_pause_storm_warning_events", ALWAYS },
	{ "tx_pause_storm_error_events", ALWAYS },
	{ "outbound_pci_stalled_wr_events", ALWAYS },
	{ "module_unplug", ALWAYS },
	{ "module_high_temp", ALWAYS },
	{ "rx_global_pause", GLOBAL_PAUSE },
	{ "rx_global_pause_duration", GLOBAL_PAUSE },
	{ "tx_global_pause", GLOBAL_PAUSE },
	{ "tx_global_pause_duration", GLOBAL_PAUSE },
	{ "rx_prio%d_packets", PRIORITY },
	{ "tx_prio%d_packets", PRIORITY },
	{ "rx_prio%d_buf_discard", PRIORITY },
	{ "rx_prio%d_cong_discard", PRIORITY },
	{ "rx_prio%d_discards", PRIORITY },
	{ "rx_prio%d_pause", PFC },
	{ "rx_prio%d_pause_duration", PFC },
	{ "tx_prio%d_pause", PFC },
	{ "tx_prio%d_pause_duration", PFC },
};

static struct statistic {
	char name[ETH_GSTRING_LEN];
	enum presence presence;
	int prio;
	u64 value;
} statistics[ARRAY_SIZE(kinds) * IEEE_8021QAZ_MAX_TCS];
static int statistics_count;

/* What changes here changes under rtnl, but for hang_ms and the values of statistics. */
static struct net_device *nic;
static const struct dcbnl_rtnl_ops *nic_dcbnl_ops;
static const struct ethtool_ops *nic_ethtool_ops;
static struct ethtool_ops ethtool_ops;

static u8 dscp2prio[DSCPS];
static u8 dcbx = DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_CEE | DCB_CAP_DCBX_VER_IEEE;
static struct ieee_pfc pfc = { .pfc_cap = IEEE_8021QAZ_MAX_TCS, .delay = 7 };
static struct ieee_ets ets = {
	.ets_cap = IEEE_8021QAZ_MAX_TCS,
	.prio_tc = { 1, 0, 2, 3, 4, 5, 6, 7 },
	.tc_tsa = { [0 ... IEEE_8021QAZ_MAX_TCS - 1] = IEEE_8021QAZ_TSA_VENDOR },
};
static struct dcbnl_buffer buffer = { .buffer_size = { 262016 }, .total_size = 262016 };
static struct ethtool_pauseparam pause;
static struct ethtool_fecparam fec = { .active_fec = ETHTOOL_FEC_RS, .fec = ETHTOOL_FEC_RS };

/* Holds rtnl meanwhile, unless it is to hang alone, as a driver that waits for its firmware does. */
static void hang(void)
{
	unsigned long start = jiffies;
	bool alone = READ_ONCE(hang_alone) && READ_ONCE(hang_ms);

	if (alone)
		rtnl_unlock();
	while (jiffies_to_msecs(jiffies - start) < min(READ_ONCE(hang_ms), LONGEST_HANG_MS))
		msleep(10);
	if (alone)
		rtnl_lock();
}

static void name_statistics(void)
{
	int prio, kind;

	for (prio = 0; prio < IEEE_8021QAZ_MAX_TCS; prio++) {
		for (kind = 0; kind < ARRAY_SIZE(kinds); kind++) {
			struct statistic *next = &statistics[statistics_count];

			if (prio > 0 && !strchr(kinds[kind].format, '%'))
				continue;
			snprintf(next->name, sizeof(next->name), kinds[kind].format, prio);
			next->presence = kinds[kind].presence;
			next->prio = prio;
			statistics_count++;
		}
	}
}

static struct statistic *find_statistic(const char *name)
{
	int i;

	for (i = 0; i < statistics_count; i++)
		if (!strcmp(statistics[i].name, name))
			return &statistics[i];
	return NULL;
}

static bool is_shown(const struct statistic *statistic)
{
	switch (statistic->presence) {
	case GLOBAL_PAUSE:
		return pause.rx_pause || pause.tx_pause;
	case PFC:
		return pfc.pfc_en & BIT(statistic->prio);
	default:
		return true;
	}
}

/* "NAME VALUE" */
static int set_statistic(const char *text, const struct kernel_param *param)
{
	char name[ETH_GSTRING_LEN];
	struct statistic *found;
	u64 value;

	if (sscanf(text, "%31s %llu", name, &value) != 2)
		return -EINVAL;
	found = find_statistic(name);
	if (!found)
		return -ENOENT;
	WRITE_ONCE(found->value, value);
	return 0;
}

static const struct kernel_param_ops statistic_ops = { .set = set_statistic };
module_param_cb(statistic, &statistic_ops, NULL, 0200);
MODULE_PARM_DESC(statistic, "sets a statistic: its name and value");

static u64 priority_value(const char *format, int prio)
{
	char name[ETH_GSTRING_LEN];

	snprintf(name, sizeof(name), format, prio);
	return READ_ONCE(find_statistic(name)->value);
}

/* In every query of IEEE settings, and in the message that tells listeners of a change. */
static int getpfc(struct net_device *dev, struct ieee_pfc *out)
{
	int prio;

	hang();
	*out = pfc;
	for (prio = 0; prio < IEEE_8021QAZ_MAX_TCS; prio++) {
		out->requests[prio] = priority_value("tx_prio%d_pause", prio);
		out->indications[prio] = priority_value("rx_prio%d_pause", prio);
	}
	return 0;
}

static int setpfc(struct net_device *dev, struct ieee_pfc *in)
{
	pfc.pfc_en = in->pfc_en;
	pfc.mbc = in->mbc;
	pfc.delay = in->delay;
	return 0;
}

static int getets(struct net_device *dev, struct ieee_ets *out)
{
	*out = ets;
	return 0;
}

static int setets(struct net_device *dev, struct ieee_ets *in)
{
	ets = *in;
	ets.ets_cap = IEEE_8021QAZ_MAX_TCS;
	return 0;
}

static bool is_dscp(const struct dcb_app *app)
{
	return app->selector == IEEE_8021QAZ_APP_SEL_DSCP && app->protocol < DSCPS &&
	       app->priority < IEEE_8021QAZ_MAX_TCS;
}

/* A DSCP has one priority: the later entry replaces the earlier. */
static int setapp(struct net_device *dev, struct dcb_app *app)
{
	struct dcb_app old = *app;

	if (!is_dscp(app))
		return -EINVAL;
	old.priority = dscp2prio[app->protocol];
	dcb_ieee_delapp(dev, &old);
	dscp2prio[app->protocol] = app->priority;
	return dcb_ieee_setapp(dev, app);
}

static int delapp(struct net_device *dev, struct dcb_app *app)
{
	int err;

	if (!is_dscp(app))
		return -EINVAL;
	err = dcb_ieee_delapp(dev, app);
	if (!err)
		dscp2prio[app->protocol] = app->protocol >> 3;
	return err;
}

static u8 getdcbx(struct net_device *dev)
{
	return dcbx;
}

static u8 setdcbx(struct net_device *dev, u8 mode)
{
	dcbx = mode;
	return 0;
}

static int getbuffer(struct net_device *dev, struct dcbnl_buffer *out)
{
	*out = buffer;
	return 0;
}

static int setbuffer(struct net_device *dev, struct dcbnl_buffer *in)
{
	u64 sum = 0;
	int i;

	for (i = 0; i < DCBX_MAX_BUFFERS; i++) {
		sum += in->buffer_size[i];
		if (in->prio2buffer[i] >= DCBX_MAX_BUFFERS)
			return -EINVAL;
	}
	if (sum > buffer.total_size)
		return -EINVAL;
	memcpy(buffer.prio2buffer, in->prio2buffer, sizeof(buffer.prio2buffer));
	memcpy(buffer.buffer_size, in->buffer_size, sizeof(buffer.buffer_size));
	return 0;
}

static const struct dcbnl_rtnl_ops dcbnl_ops = {
	.ieee_getets = getets,
	.ieee_setets = setets,
	.ieee_getpfc = getpfc,
	.ieee_setpfc = setpfc,
	.ieee_setapp = setapp,
	.ieee_delapp = delapp,
	.getdcbx = getdcbx,
	.setdcbx = setdcbx,
	.dcbnl_getbuffer = getbuffer,
	.dcbnl_setbuffer = setbuffer,
};

static int get_sset_count(struct net_device *dev, int set)
{
	int i, count = 0;

	if (set != ETH_SS_STATS)
		return nic_ethtool_ops->get_sset_count ? nic_ethtool_ops->get_sset_count(dev, set) : -EOPNOTSUPP;
	for (i = 0; i < statistics_count; i++)
		count += is_shown(&statistics[i]);
	return count;
}

static void get_strings(struct net_device *dev, u32 set, u8 *out)
{
	int i;

	if (set != ETH_SS_STATS) {
		nic_ethtool_ops->get_strings(dev, set, out);
		return;
	}
	for (i = 0; i < statistics_count; i++)
		if (is_shown(&statistics[i]))
			ethtool_sprintf(&out, "%s", statistics[i].name);
}

static void get_ethtool_stats(struct net_device *dev, struct ethtool_stats *stats, u64 *out)
{
	int i;

	hang();
	for (i = 0; i < statistics_count; i++)
		if (is_shown(&statistics[i]))
			*out++ = READ_ONCE(statistics[i].value);
}

static void get_pauseparam(struct net_device *dev, struct ethtool_pauseparam *out)
{
	out->rx_pause = pause.rx_pause;
	out->tx_pause = pause.tx_pause;
}

static int set_pauseparam(struct net_device *dev, struct ethtool_pauseparam *in)
{
	if (in->autoneg)
		return -EINVAL;
	pause = *in;
	return 0;
}

static int get_fecparam(struct net_device *dev, struct ethtool_fecparam *out)
{
	out->active_fec = fec.active_fec;
	out->fec = fec.fec;
	return 0;
}

static int set_fecparam(struct net_device *dev, struct ethtool_fecparam *in)
{
	fec.fec = in->fec;
	fec.active_fec = in->fec;
	return 0;
}

static void take(struct net_device *dev)
{
	static const struct ethtool_ops none;

	dev_hold(dev);
	nic = dev;
	nic_dcbnl_ops = dev->dcbnl_ops;
	nic_ethtool_ops = dev->ethtool_ops ?: &none;
	ethtool_ops = *nic_ethtool_ops;
	ethtool_ops.get_sset_count = get_sset_count;
	ethtool_ops.get_strings = get_strings;
	ethtool_ops.get_ethtool_stats = get_ethtool_stats;
	ethtool_ops.get_pauseparam = get_pauseparam;
	ethtool_ops.set_pauseparam = set_pauseparam;
	ethtool_ops.get_fecparam = get_fecparam;
	ethtool_ops.set_fecparam = set_fecparam;
	dev->ethtool_ops = &ethtool_ops;
	dev->dcbnl_ops = &dcbnl_ops;
}

static void give_back(void)
{
	int i;

	for (i = 0; i < DSCPS; i++) {
		struct dcb_app app = {
			.selector = IEEE_8021QAZ_APP_SEL_DSCP,
			.protocol = i,
			.priority = dscp2prio[i],
		};

		dcb_ieee_delapp(nic, &app);
	}
	nic->ethtool_ops = nic_ethtool_ops;
	nic->dcbnl_ops = nic_dcbnl_ops;
	dev_put(nic);
	nic = NULL;
}

static int on_netdev(struct notifier_block *block, unsigned long event, void *info)
{
	if (event == NETDEV_UNREGISTER && netdev_notifier_info_to_dev(info) == nic)
		give_back();
	return NOTIFY_DONE;
}

static struct notifier_block notifier = { .notifier_call = on_netdev };

static int __init ferrule_dcb_init(void)
{
	struct net_device *dev;
	int err, i;

	name_statistics();
	for (i = 0; i < DSCPS; i++)
		dscp2prio[i] = i >> 3;
	err = register_netdevice_notifier(&notifier);
	if (err)
		return err;
	rtnl_lock();
	dev = netdev ? __dev_get_by_name(&init_net, netdev) : NULL;
	if (dev)
		take(dev);
	rtnl_unlock();
	if (dev)
		return 0;
	unregister_netdevice_notifier(&notifier);
	return -ENODEV;
}

static void __exit ferrule_dcb_exit(void)
{
	rtnl_lock();
	if (nic)
		give_back();
	rtnl_unlock();
	unregister_netdevice_notifier(&notifier);
}

module_init(ferrule_dcb_init);
module_exit(ferrule_dcb_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("the DCB and ethtool sides of a fabric NIC, for a netdev without");
