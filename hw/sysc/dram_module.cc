#include "hw/sysc/dram_module.h"

#include <cstring>

#include "hw/base/check.h"

namespace lockstep::sysc {

namespace {

/// A memory with the smallest legal figures, replaced by begin_run before any transaction.
mem::DramConfig idle_config() {
  mem::DramConfig config;
  config.access_bytes = 32;
  config.stripe_bytes = 8192;
  config.command_slots = 1;
  config.tCCD_ticks = config.CL_ticks = config.BL_ticks = 1;
  return config;
}

}  // namespace

DramModule::DramModule(sc_core::sc_module_name name) : sc_module(name), socket("socket"), dram_(idle_config()) {
  socket.register_nb_transport_fw(this, &DramModule::transport);
}

void DramModule::begin_run(const mem::DramConfig& config, target::MemoryImage* image, sc_core::sc_time start) {
  dram_ = mem::Dram(config);
  image_ = image;
  start_ = start;
}

uint8_t DramModule::free_slots(int64_t cycle) const {
  unsigned bits = 0;
  for (int channel = 0; channel < dram_.config().channels; ++channel) {
    if (dram_.slot_free(channel, cycle)) bits |= 1u << channel;
  }
  return static_cast<uint8_t>(bits);
}

void DramModule::take_slot(int64_t address, int64_t cycle) { dram_.take_slot(dram_.channel_of(address), cycle); }

tlm::tlm_sync_enum DramModule::transport(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                         sc_core::sc_time& delay) {
  CHECK(phase == tlm::BEGIN_REQ) << "the burst socket only takes BEGIN_REQ";
  const sc_core::sc_time now = sc_core::sc_time_stamp() + delay - start_;
  const auto cycle = static_cast<int64_t>(now.value() / cycles_to_time(1).value());
  const auto address = static_cast<int64_t>(payload.get_address());
  const auto bytes = static_cast<int64_t>(payload.get_data_length());
  if (image_ == nullptr || address < 0 || address + bytes > static_cast<int64_t>(image_->size())) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  const bool write = payload.get_command() == tlm::TLM_WRITE_COMMAND;
  auto* extension = payload.get_extension<BurstExtension>();
  CHECK(extension != nullptr) << "a burst says whose it is";
  extension->service = dram_.arrive(cycle, {dram_.channel_of(address), address, static_cast<int>(bytes), write,
                                            extension->queue, extension->close});
  if (write) {
    std::memcpy(image_->data() + address, payload.get_data_ptr(), static_cast<size_t>(bytes));
  } else {
    std::memcpy(payload.get_data_ptr(), image_->data() + address, static_cast<size_t>(bytes));
  }
  delay += cycles_to_time(extension->service.data_cycle - cycle);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  return tlm::TLM_COMPLETED;
}

}  // namespace lockstep::sysc
