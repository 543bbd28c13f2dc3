// Names of instructions, pipes and memories, and the JSON of findings.
#include "report.hpp"

#include <algorithm>
#include <cstdio>

namespace ptopro::sim {

const char* name_of(Opcode op) {
  static constexpr const char* kNames[] = {
      "set_flag",
      "wait_flag",
      "get_buf",
      "rls_buf",
      "pipe_barrier",
      "set_intra_block",
      "wait_intra_block",
      "ffts_cross_core_sync",
      "wait_flag_dev",
      "SYNCALL",
      "TLOAD",
      "TSTORE",
      "TSTORE_FP",
      "TMOV",
      "TMOV_FP",
      "TEXTRACT",
      "TINSERT",
      "TMATMUL",
      "TMATMUL_ACC",
      "TMATMUL_BIAS",
      "TGEMV",
      "TGEMV_ACC",
      "TGEMV_BIAS",
      "TMATMUL_MX",
      "TMATMUL_MX",
      "TADD",
      "TSUB",
      "TMUL",
      "TDIV",
      "TREM",
      "TMAX",
      "TMIN",
      "TAND",
      "TOR",
      "TXOR",
      "TSHL",
      "TSHR",
      "TADDC",
      "TSUBC",
      "TADDS",
      "TSUBS",
      "TMULS",
      "TDIVS",
      "TREMS",
      "TMAXS",
      "TMINS",
      "TANDS",
      "TORS",
      "TXORS",
      "TSHLS",
      "TSHRS",
      "TADDSC",
      "TSUBSC",
      "TAXPY",
      "TLRELU",
      "TNEG",
      "TABS",
      "TEXP",
      "TLOG",
      "TSQRT",
      "TRSQRT",
      "TRECIP",
      "TRELU",
      "TNOT",
      "TCVT",
      "TEXPANDS",
      "TCI",
      "TCMP",
      "TCMPS",
      "TSEL",
      "TSELS",
      "TROWSUM",
      "TROWMAX",
      "TROWMIN",
      "TROWPROD",
      "TROWARGMAX",
      "TROWARGMIN",
      "TCOLSUM",
      "TCOLMAX",
      "TCOLMIN",
      "TCOLPROD",
      "TCOLARGMAX",
      "TCOLARGMIN",
      "TROWEXPAND",
      "TROWEXPANDADD",
      "TROWEXPANDSUB",
      "TROWEXPANDMUL",
      "TROWEXPANDDIV",
      "TROWEXPANDMAX",
      "TROWEXPANDMIN",
      "TROWEXPANDEXPDIF",
      "TCOLEXPAND",
      "TCOLEXPANDADD",
      "TCOLEXPANDSUB",
      "TCOLEXPANDMUL",
      "TCOLEXPANDDIV",
      "TCOLEXPANDMAX",
      "TCOLEXPANDMIN",
      "TCOLEXPANDEXPDIF",
      "TFILLPAD",
      "TFILLPAD_EXPAND",
      "TFILLPAD_INPLACE",
      "TTRANS",
      "TRESHAPE",
      "TPARTADD",
      "TPARTMUL",
      "TPARTMAX",
      "TPARTMIN",
      "TGATHER",
      "TGATHER",
      "TGATHERB",
      "TGATHER",
      "TSCATTER",
      "TSORT32",
      "TMRGSORT",
      "TMRGSORT",
      "THISTOGRAM",
      "TQUANT",
      "TDEQUANT",
      "vector function",
      "SIMT launch",
  };
  static_assert(sizeof kNames / sizeof kNames[0] == static_cast<size_t>(Opcode::Count));
  return op < Opcode::Count ? kNames[static_cast<size_t>(op)] : "?";
}

const char* name_of(Pipe pipe) {
  static constexpr const char* kNames[] = {"S", "MTE1", "MTE2", "MTE3", "V", "M", "FIX", "ALL"};
  return kNames[static_cast<size_t>(pipe)];
}

const char* name_of(Memory memory) {
  static constexpr const char* kNames[] = {"Vec",  "Mat",     "Left",      "Right",     "Acc",
                                           "Bias", "Scaling", "ScaleLeft", "ScaleRight"};
  return memory < Memory::Count ? kNames[static_cast<size_t>(memory)] : "?";
}

namespace {

void put_string(std::string& out, const std::string& text) {
  out += '"';
  for (const char raw : text) {
    const auto c = static_cast<unsigned char>(raw);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += raw;
    } else if (c < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", c);
      out += code;
    } else {
      out += raw;
    }
  }
  out += '"';
}

void put_field(std::string& out, const char* name, const std::string& value) {
  out += '"';
  out += name;
  out += "\":";
  put_string(out, value);
  out += ',';
}

void put_field(std::string& out, const char* name, int64_t value) {
  out += '"';
  out += name;
  out += "\":";
  out += std::to_string(value);
  out += ',';
}

std::string render(const std::vector<Finding>& findings, size_t count, size_t waits) {
  std::string out = "{\"findings\":[";
  for (size_t i = 0; i < count; ++i) {
    const Finding& finding = findings[i];
    if (i) out += ',';
    out += '{';
    put_field(out, "code", finding.code);
    put_field(out, "kind", finding.kind);
    put_field(out, "message", finding.message);
    put_field(out, "block", finding.block);
    put_field(out, "core", finding.core);
    put_field(out, "pipe", finding.pipe);
    put_field(out, "operation", finding.operation);
    put_field(out, "file", finding.file);
    put_field(out, "line", finding.line);
    put_field(out, "hint", finding.hint);
    out += "\"places\":[";
    for (size_t p = 0; p < finding.places.size(); ++p) {
      const PlaceReport& place = finding.places[p];
      if (p) out += ',';
      out += '{';
      put_field(out, "block", place.block < 0 ? finding.block : place.block);
      put_field(out, "core", place.core);
      put_field(out, "pipe", place.pipe);
      put_field(out, "operation", place.operation);
      put_field(out, "file", place.file);
      put_field(out, "line", place.line);
      put_field(out, "execution", place.execution);
      put_field(out, "what", place.what);
      out.back() = '}';
    }
    out += "],\"waits\":[";
    for (size_t w = 0; w < std::min(waits, finding.waits.size()); ++w) {
      const WaitReport& wait = finding.waits[w];
      if (w) out += ',';
      out += '{';
      put_field(out, "block", wait.block);
      put_field(out, "core", wait.core);
      put_field(out, "pipe", wait.pipe);
      put_field(out, "operation", wait.operation);
      put_field(out, "file", wait.file);
      put_field(out, "line", wait.line);
      put_field(out, "what", wait.what);
      put_field(out, "peer", wait.peer);
      out.back() = '}';
    }
    out += "]}";
  }
  out += "]}";
  return out;
}

}  // namespace

std::string to_json(const std::vector<Finding>& findings, uint64_t capacity, uint64_t* full_length) {
  std::string text = render(findings, findings.size(), SIZE_MAX);
  *full_length = text.size();
  size_t waits = 0, count = findings.size();
  for (const Finding& finding : findings) waits = std::max(waits, finding.waits.size());
  while (text.size() >= capacity && (waits > 0 || count > 0)) {
    if (waits > 0)
      waits /= 2;
    else
      --count;
    text = render(findings, count, waits);
  }
  return text.size() < capacity ? text : std::string();
}

}  // namespace ptopro::sim
